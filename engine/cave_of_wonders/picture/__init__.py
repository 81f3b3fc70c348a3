"""What the board's SVG template draws."""
