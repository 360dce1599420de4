// Gives the frames of a page that show a dashboard the height of their content (docs/dashboard.md#embedding).
(() => {
  const service = new URL(document.currentScript.src).origin;
  const frames = () => [...document.querySelectorAll('iframe')];
  addEventListener('message', ({ origin, source, data }) => {
    const height = data && data.footfall && data.footfall.height;
    if (origin !== service || !(height > 0)) return;
    for (const frame of frames()) if (frame.contentWindow === source) frame.style.height = `${height}px`;
  });
  // A frame may have been there before this script. One that is not loaded yet is of no origin, and hears nothing.
  for (const frame of frames()) if (frame.src.startsWith(`${service}/`)) frame.contentWindow.postMessage({ footfall: 'height' }, '*');
})();
