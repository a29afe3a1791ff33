"""The site's machinery: reads posenc, writes files."""
