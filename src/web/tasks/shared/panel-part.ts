/** The part of a task that the panel opens with: what was asked for on the board. */
export type PanelPart = 'title' | 'resend' | 'note' | 'files' | 'decision' | null;
