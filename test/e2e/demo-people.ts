// The accounts of the demo company, in the order of the login page.

export const demoPeople = [
  'admin',
  'approver',
  'staff',
  'top5',
  'sales',
  'support',
  'people',
  'norole',
  'noapprover',
] as const;
export type DemoPerson = (typeof demoPeople)[number];

export const demoPassword = 'top-5-demo';
export const emailOf = (person: DemoPerson): string => `${person}@demo.test`;
