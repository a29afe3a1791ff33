/**
 * Lets the keyboard into code that scrolls. The theme does the same for code that has been in view; all
 * code at once it would measure while the page starts, and browsers would lay out the page for that.
 */

const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
for (const code of document.querySelectorAll("pre > code:not([tabindex])")) sizes.observe(code);
