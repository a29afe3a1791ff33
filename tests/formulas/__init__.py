"""The formulas on the pages: their TeX is read, and evaluated beside the oracle."""
