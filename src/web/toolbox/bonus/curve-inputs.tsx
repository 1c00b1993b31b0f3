import { TextInput } from '@mantine/core';
import { bonusComponentKeys, bonusComponents } from '#core/toolbox/bonus.ts';
import classes from './plan-dialog.module.css';
import { type Curves, curveFields } from './plan-draft.ts';

/** The three points and the weight of each part. */
export function CurveInputs({ curves, onChange }: { curves: Curves; onChange: (curves: Curves) => void }) {
  return (
    <table className={classes.curves}>
      <thead>
        <tr>
          <th scope="col">Part</th>
          {curveFields.map(([field, title]) => (
            <th key={field} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bonusComponentKeys.map((key) => (
          <tr key={key}>
            <th scope="row">{bonusComponents[key].title}</th>
            {curveFields.map(([field, title]) => (
              <td key={field}>
                <TextInput
                  size="sm"
                  inputMode="numeric"
                  maxLength={3}
                  aria-label={`${bonusComponents[key].title}: ${title}`}
                  value={curves[key][field]}
                  onChange={(event) =>
                    onChange({ ...curves, [key]: { ...curves[key], [field]: event.currentTarget.value } })
                  }
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
