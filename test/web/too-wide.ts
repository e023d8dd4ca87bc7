/** Run in the page: what makes it wider than the window, and tables that are wider than their frame. */
export const sticksOut = `[
  ...(document.documentElement.scrollWidth <= innerWidth ? [] : document.querySelectorAll('body *')),
].filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .concat([...document.querySelectorAll('main table')].filter(({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth > clientWidth))
  .slice(0, 3)
  .map((element) => element.outerHTML.slice(0, 200))`;
