/** Run in the page: what makes it wider than the window, and tables that are wider than their frame or have to be scrolled sideways. */
export const sticksOut = `(() => {
  const scrolls = (element) => element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX);
  const tooWide = (table) => {
    if (table.parentElement.scrollWidth > table.parentElement.clientWidth) return true;
    for (let around = table.parentElement; around.tagName !== 'MAIN'; around = around.parentElement) if (scrolls(around)) return true;
    return false;
  };
  const beyond = document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')];
  return [
    ...beyond.filter((element) => element.getBoundingClientRect().right > innerWidth + 1),
    ...[...document.querySelectorAll('main table')].filter(tooWide),
  ].slice(0, 3).map((element) => element.outerHTML.slice(0, 200));
})()`;
