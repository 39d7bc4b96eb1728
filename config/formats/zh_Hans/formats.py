"""Chinese numbers as one reads them on screens: 50,000. Django groups none of them."""

THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
