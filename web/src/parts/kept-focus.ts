/** Call it when a dialog has closed: if the element that opened it is gone, the page takes the focus, so that Tab goes on from there. */
export function keepFocusOnPage(): void {
  // The dialog may still hold the focus now, and loses it when it is removed.
  setTimeout(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) document.getElementById('page')?.focus({ preventScroll: true });
  });
}
