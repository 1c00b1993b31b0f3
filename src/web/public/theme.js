// Runs before the first paint, so that a chosen theme or density never flashes. A file of its own: inline scripts are forbidden.
(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const chosen = read('theme');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  root.setAttribute('data-density', read('density') === 'compact' ? 'compact' : 'normal');
})();
