import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { toolCardLimits, toolHealthKeys, toolHealths } from '#core/admin/tool-cards.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import classes from '../shared/tools-page.module.css';
import { steps, type ToolCard, useCardStep } from './tool-card-calls.ts';

const options = toolHealthKeys.map((value) => ({ value, label: toolHealths[value] }));

/** Whether a tool works is told by people: the server asks no address that somebody typed. */
export function ToolHealthForm({ card, onClose }: { card: ToolCard; onClose: () => void }) {
  const [health, setHealth] = useState(card.health);
  const [note, setNote] = useState(card.healthNote);
  const step = useCardStep({ quiet: true, onDone: onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    step.mutate(steps.health(card, health, note));
  };
  return (
    <Dialog opened title={`Health of ${card.title}`} onClose={onClose}>
      <form onSubmit={submit} className={classes.form}>
        <Segmented label="Health" segments={options} value={health} onChange={setHealth} focused />
        <TextInput
          size="sm"
          label="Note"
          description="What people should know, such as when it will be back"
          maxLength={toolCardLimits.note}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {step.error && <p role="alert">{step.error.message}</p>}
        <DialogActions>
          <Button size="sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" type="submit" loading={step.isPending}>
            Set the health
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
