"""What programs that examine mails do with the links in them."""
