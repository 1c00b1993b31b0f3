import { Panel } from '#web/ui/panel.tsx';
import classes from './doctor.module.css';
import { Explained } from './explained.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { ViewAsPanel } from './view-as-panel.tsx';

/** The permission doctor: one question about one person, a look as a role, and everything that is wrong. */
export default function DoctorPart() {
  return (
    <div className={classes.parts}>
      <Panel title="Why can’t somebody see a page?">
        <Explained />
      </Panel>
      <ViewAsPanel />
      <FindingsPanel />
    </div>
  );
}
