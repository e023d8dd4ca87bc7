import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // While pages are worked on: everything that is not a page comes from a gateway that runs beside.
  server: {
    // The snippet for the browser's console is the extension's own text.
    fs: { allow: ['..'] },
    proxy: Object.fromEntries(
      ['/portal', '/v1', '/sandbox/', '/docs', '/openapi.json', '/health'].map((path) => [
        path,
        { target: process.env.GATEWAY ?? 'http://127.0.0.1:3000', changeOrigin: false },
      ]),
    ),
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Images and fonts stay files: the pages' security policy wants them from the server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
});
