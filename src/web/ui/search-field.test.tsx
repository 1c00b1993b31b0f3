import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../test/show-page.tsx';
import { SearchField } from './search-field.tsx';

test.for(['{Enter}', '{ArrowDown}'])('%s goes to the first row of the table below the field', async (key) => {
  const table = (name: string) => (
    <table>
      <tbody>
        <tr>
          <td>
            <button type="button">{name}</button>
          </td>
        </tr>
      </tbody>
    </table>
  );
  const user = await showPage(
    <>
      {table('Another table')}
      <SearchField label="Find a person" scope="Stats" value="le" onChange={() => {}} />
      {table('Lena')}
    </>,
    {},
  );
  await user.keyboard(`/${key}`);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Lena' }));
});
