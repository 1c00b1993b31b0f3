/** The part of a task the panel opens with, as requested on the board. */
export type PanelPart = 'title' | 'resend' | 'note' | 'files' | 'decision' | null;
