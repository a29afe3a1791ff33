"""The programs that make the site from the pages and posenc."""
