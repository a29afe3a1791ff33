/**
 * Lets the keyboard into code that scrolls. The theme does the same, but only for code that has been in
 * view (`content.lazy`): otherwise it would measure all code while the page starts, which takes longer.
 */

const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
for (const code of document.querySelectorAll("pre > code:not([tabindex])")) sizes.observe(code);
