// Says before anything is drawn which colours and which frame the pages have. A file of its own, because the pages allow no inline scripts.
(() => {
  const { dataset } = document.documentElement;
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  dataset.mantineColorScheme = dark ? 'dark' : 'light';
  if (/^\/(sign-in|link\/|passkey)/.test(location.pathname)) dataset.entry = '';
})();
