/** For the end of a dialog: when the element that had the focus before is gone, the page takes it, so that the keyboard does not start over. */
export function keepFocusOnPage(): void {
  // The dialog itself may still hold the focus now, and takes it along when it goes.
  setTimeout(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) document.getElementById('page')?.focus({ preventScroll: true });
  });
}
