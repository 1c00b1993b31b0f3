// Who can give the viewer access, for every page that refuses them.
import { queryOptions } from '@tanstack/react-query';
import { graphql, type ResultOf } from './graphql.ts';
import { orWithoutNewFields, request } from './request.ts';

const helpFields = graphql(`
  fragment Help on AccessHelp @_unmask {
    admins { id displayName email }
    roleAsked { role by at }
  }
`);
const helpDocument = graphql(`query AccessHelp { accessHelp { ...Help contacts { id displayName email } } }`, [
  helpFields,
]);
const olderDocument = graphql(`query OlderAccessHelp { accessHelp { ...Help } }`, [helpFields]);

type OlderHelp = ResultOf<typeof olderDocument>['accessHelp'];
type Help = OlderHelp & { readonly contacts?: OlderHelp['admins'] };

export const accessHelpQuery = queryOptions({
  queryKey: ['people', 'access-help'],
  queryFn: async ({ signal }) => {
    const read = orWithoutNewFields<{ readonly accessHelp: Help }>(request(helpDocument, {}, { signal }), () =>
      request(olderDocument, {}, { signal }),
    );
    return (await read).accessHelp;
  },
});
