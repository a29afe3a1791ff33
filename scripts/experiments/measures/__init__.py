"""One module for each question; each function measures one finished run."""
