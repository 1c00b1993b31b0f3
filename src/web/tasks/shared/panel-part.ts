/** The part of a task the panel opens with, as requested on the board. */
export type PanelPart = 'title' | 'moves' | 'resend' | 'note' | 'files' | 'decision' | 'repeat' | null;
