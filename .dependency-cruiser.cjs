// The walls between the rooms. Each message says where the code belongs instead.
const TESTS = '\\.test\\.tsx?$';

// The areas of the core and of the server, from the lowest to the highest: an area never imports one above it.
// The lowest is `base` in the core and `platform` in the server. Only the server has `demo`.
const AREAS = ['base|platform', 'access', 'people', 'tasks', 'numbers', 'toolbox', 'notifications', 'admin', 'demo'];

const upwards = AREAS.slice(0, -1).map((area, place) => ({
  name: `${area.split('|')[0]}-not-upwards`,
  severity: 'error',
  comment: `The areas have this order: ${AREAS.join(' < ')}. Move the code down to where both need it, let the caller above hand in what is missing, or declare a hook that src/server/connect-areas.ts connects.`,
  from: { path: `^src/(core|server)/(${area})/`, pathNot: TESTS },
  to: { path: `^src/$1/(${AREAS.slice(place + 1).join('|')})/` },
}));

// The web lies in the same areas, above the parts that they share. The composition root is above all of them.
const PAGES = AREAS.slice(1);
const SHARED = ['ui', 'charts', 'api', 'shell'];
const WEB = [...SHARED, ...PAGES];

const web = [
  ...WEB.map((area, place) => ({
    name: `web-${area}-not-upwards`,
    severity: 'error',
    comment: `The web lies in this order: ${WEB.join(' < ')} < main, router. Move the part down to where both need it, or let the root hand it in. The shell may load a part above it lazily.`,
    from: { path: `^src/web/${area}/`, pathNot: TESTS },
    to: {
      path: [`^src/web/(${WEB.slice(place + 1).join('|')})/`, '^src/web/[^/]+\\.tsx?$'],
      ...(area === 'shell' ? { dynamic: false } : {}),
    },
  })),
  {
    name: 'page-not-to-page',
    severity: 'error',
    comment:
      "A page's folder never imports another page's folder. What pages share belongs in shared/ of their area, in src/web/ui or in src/web/charts.",
    from: { path: `^src/web/(${PAGES.join('|')})/([^/]+)/` },
    to: { path: `^src/web/(${PAGES.join('|')})/[^/]+/`, pathNot: ['^src/web/$1/$2/', '^src/web/[^/]+/shared/'] },
  },
  {
    name: 'area-by-its-shared-parts',
    severity: 'error',
    comment: 'Another area takes only what lies in shared/ of this one: move the part there if it is for others.',
    from: { path: `^src/web/(${PAGES.join('|')})/` },
    to: { path: `^src/web/(${PAGES.join('|')})/`, pathNot: ['^src/web/$1/', '^src/web/[^/]+/shared/'] },
  },
  {
    name: 'ui-knows-no-route',
    severity: 'error',
    comment:
      'ui/ and charts/ know no page, route or query: take what they need as props, or move the part to the page or the shell that knows it.',
    from: { path: '^src/web/(ui|charts)/' },
    to: { path: ['^src/web/api/', 'node_modules/@tanstack/react-(router|query)/'] },
  },
];

module.exports = {
  forbidden: [
    ...upwards,
    {
      name: 'root-is-above',
      severity: 'error',
      comment:
        'The files directly in src/server, and the commands, know every area. No area imports them: declare a hook that connect-areas.ts connects, or take what is needed as a parameter.',
      from: { path: `^src/server/(${AREAS.join('|')})/`, pathNot: TESTS },
      to: { path: '^src/server/(commands/|[^/]+$)' },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      comment:
        'src/core decides and imports nothing but zod/mini and itself. What needs Node, a library or the database belongs in src/server; what needs the DOM in src/web.',
      from: { path: '^src/core/', pathNot: TESTS },
      to: { pathNot: ['^src/core/', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'core-takes-zod-mini',
      severity: 'error',
      comment: 'src/core is in every page: import zod/mini, the whole of zod is for src/server.',
      from: { path: '^src/core/', pathNot: TESTS },
      to: { path: 'node_modules/zod/', pathNot: 'node_modules/zod/mini/' },
    },
    {
      name: 'server-not-to-web',
      severity: 'error',
      comment: 'src/server never imports src/web. A fact that both need belongs in src/core.',
      from: { path: '^src/server/' },
      to: { path: '^src/web/' },
    },
    {
      name: 'web-not-to-server',
      severity: 'error',
      comment:
        'src/web never imports src/server, not even types. A rule that both need belongs in src/core; shapes of answers come from src/web/api/graphql-env.d.ts.',
      from: { path: '^src/web/' },
      to: { path: '^src/server/' },
    },
    {
      name: 'store-is-private',
      severity: 'error',
      comment:
        "A folder's *.store.ts is its own. Ask the other folder's service, or add a function there that says what is wanted.",
      from: { path: '^(src/server/.+/)[^/]+$' },
      to: { path: '^src/server/.+\\.store\\.ts$', pathNot: '^$1[^/]+$' },
    },
    {
      name: 'store-behind-service',
      severity: 'error',
      comment: 'The composition root speaks to services; SQL stays behind the service of its area.',
      from: { path: '^src/server/[^/]+\\.ts$', pathNot: TESTS },
      to: { path: '\\.store\\.ts$' },
    },
    ...web,
    {
      name: 'product-not-to-tests',
      severity: 'error',
      comment: 'Tests and scripts know the product, the product knows neither.',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: ['^(test|scripts|bench|faults)/', TESTS] },
    },
    {
      name: 'no-cycle',
      severity: 'error',
      comment: 'Two files that need each other are one file, or share a third one that neither of them is.',
      from: { pathNot: 'node_modules' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'The import leads nowhere: a missing file, or a package that package.json does not name.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
};

// For test/house/documents.test.ts. Not enumerable: dependency-cruiser refuses properties it doesn't know.
Object.defineProperty(module.exports, 'areas', { value: AREAS });
