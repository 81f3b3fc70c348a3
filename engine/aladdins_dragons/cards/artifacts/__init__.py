"""The six artifacts, one class and one file each."""
