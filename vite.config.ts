import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { loginPath } from './src/core/access/routes.ts';
import { cssVariables, theme } from './src/web/ui/theme.ts';

/** Palettes that no part of ours names. Left out, they halve the file. */
const unusedPalettes =
  /^\s*--mantine-color-(?:pink|grape|violet|indigo|cyan|teal|lime|orange|yellow|green|blue|red)-.*$\n?/gm;

/**
 * Mantine would write its variables into a `<style>` at run time, which the content security policy forbids (`style-src 'self'`).
 * Here they become a stylesheet of the build, from the same theme.
 */
function mantineVariables(): Plugin {
  const id = 'virtual:mantine-variables.css';
  return {
    name: 'mantine-variables',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(loaded) {
      if (loaded !== `\0${id}`) return undefined;
      const merged = mergeMantineTheme(DEFAULT_THEME, theme);
      const standard = defaultCssVariablesResolver(merged);
      const ours = cssVariables(merged);
      const css = convertCssVariables(
        {
          variables: { ...standard.variables, ...ours.variables },
          light: { ...standard.light, ...ours.light },
          dark: { ...standard.dark, ...ours.dark },
        },
        ':root',
      );
      return css.replace(/[;{}]/g, '$&\n').replace(unusedPalettes, '');
    },
  };
}

/** The font of every page, asked for before the stylesheet that names it has arrived. Other alphabets load when a text needs them. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((file) => file.includes('inter-latin-wght-normal'));
        if (!font) return [];
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

/** The sign-in page is a document of its own; the server does the same in production. */
function serveLoginPage(): Plugin {
  return {
    name: 'serve-login-page',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const [path, query] = (request.url ?? '').split('?');
        if (path === loginPath) request.url = `/login.html${query ? `?${query}` : ''}`;
        next();
      });
    },
  };
}

// A port of the server to develop against; the server of this repository answers everything that is no page.
const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

export default defineConfig({
  // The web reads no .env, which may be closed to whoever builds.
  envDir: false,
  root: 'src/web',
  plugins: [react(), mantineVariables(), preloadFont(), serveLoginPage()],
  resolve: { alias: { 'decode-named-character-reference': '/ui/character-names.ts' } },
  build: {
    outDir: '../../dist',
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    // `data:` is allowed for pictures only, and a polyfill would be an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { index: 'src/web/index.html', login: 'src/web/login.html' } },
  },
  server: {
    proxy: {
      // Not src/web/api, whose files are served below the same address.
      '^/api/(?!.*\\.ts)': server,
      '/attachment': server,
      '/config.json': server,
      '/graphql': { target: server, ws: true },
    },
  },
});
