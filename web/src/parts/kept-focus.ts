/** Mantine gives the focus back after 10 ms, which without motion is after the dialog has closed. */
const givenBackMs = 50;

/** Call it when a dialog has closed: if the element that opened it is gone, the page takes the focus, so that Tab goes on from there. */
export function keepFocusOnPage(): void {
  setTimeout(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) document.getElementById('page')?.focus({ preventScroll: true });
  }, givenBackMs);
}
