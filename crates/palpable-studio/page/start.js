// The frame of the page is painted first, in its colours; then everything else is loaded.
// @ts-check
document.documentElement.dataset.theme = localStorage.getItem('theme')
  ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

let begun = false;
const begin = () => {
  if (!begun) void import('./main.js');
  begun = true;
};
new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length > 0) begin();
}).observe({ type: 'paint', buffered: true });
// a tab that is not seen paints nothing
setTimeout(begin, document.hidden ? 0 : 1500);

export {};
