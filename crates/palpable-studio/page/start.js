// The title is painted first, in the page's colours, before everything that is dear to paint; then
// the rest is shown and the program started.
// @ts-check
document.documentElement.dataset.theme = localStorage.getItem('theme')
  ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

let begun = false;
const begin = () => {
  if (begun) return;
  begun = true;
  document.documentElement.classList.remove('bare');
  void import('./main.js');
};
new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length > 0) begin();
}).observe({ type: 'paint', buffered: true });
// a tab that is not seen paints nothing
setTimeout(begin, document.hidden ? 0 : 1500);

export {};
