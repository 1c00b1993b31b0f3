// The words for the patterns, each team's brands, and people's messages.
import type { Category, Scope } from '#core/access/brands.ts';

/** The options for each pair of braces: one kind per line. */
export const words: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  `
affiliate: Northwind Deals | CouponFox | Pixel & Pine | DealHarbor | The Thrifty Owl | Lumen Reviews | Gadgetario | Wander & Save | TestBench Weekly | SmartHaus Blog | Kaufberater24 | La Bonne Affaire | Trail Notes | Mama Knows | ByteMarket | Casa Verde | Second Shelf | Daily Compare
country: Germany | France | Spain | Italy | Poland | Sweden | Norway | the Netherlands | Austria | Portugal | Ireland | Canada | Mexico | Brazil | Japan | Australia | Denmark | Switzerland
city: Berlin | Lyon | Lisbon | Rotterdam | Kraków | Gothenburg | Dublin | Vienna | Turin | Bergen | Antwerp | Porto | Leipzig | Valencia | Toronto | Osaka
language: German | French | Spanish | Italian | Polish | Dutch | Portuguese | Swedish | Japanese | Danish | Norwegian | Czech
campaign: Spring Start | Earth Week | Back to School | Summer Lights | Giving Tuesday | Winter Warmth | Founders Week | Open Doors | First Snow | Double Days | Long Weekend | Quiet Hours
list: the newsletter list | past buyers | magazine readers | trial users | monthly donors | the partner list | people who asked for a callback | customers for over two years
topic: returns | delivery times | changing an address | duplicate payments | gift cards | data protection | warranty | canceling a subscription | invoices | password reset | customs fees | recycling | refunds | pre-orders | working from abroad | travel costs
shop: web shop | marketplace | app store | wholesale | pop-up shop | phone sales
product: hub | charger | desk lamp | sensor | power bank | thermostat | solar lantern | router | smart plug | bike light | speaker | garden controller
carrier: Baltic Freight | ParcelOne | Roadrunner Cargo | BlueLine Post | Alpen Express | Harbor Logistics
supplier: Fjord Components | Solvento | Kasper Metals | Lumière Print | Vega Cells | Terra Packaging | Oak & Copper | Nordic Molding | Rio Textiles | Hikari Parts
game: Gem Harbor | Robo Orchard | Paper Pirates | Night Tram | Bubble Court | Moss & Magnet | Turbo Snails | Castle Clerk | Word Weavers | Lighthouse Nine
book: The Quiet Harbor | Bread for Beginners | A Map of Small Rivers | Letters to a Young Gardener | The Clockmaker’s Niece | Numbers without Fear | Seven Winters | The Honest Shop | Birds of the Railway | Cooking on Sundays | The Long Repair | Islands in Order
cause: Free a Girl | Operation Underground Railroad | Who Lives
role: support agent | buyer | editor | game designer | bookkeeper | campaign planner | warehouse lead | data analyst
tool: the ticket system | the design app | the survey tool | the mail app | the wiki | the accounting software | the scheduling board
`
    .trim()
    .split('\n')
    .map((line) => {
      const [slot = '', list = ''] = line.split(': ');
      return [slot, list.split(' | ')];
    }),
);

/** The brands of a team's tasks; those listed twice come up twice as often. */
export const brandsOfTeam: Readonly<Record<Scope, readonly Category[]>> = {
  connect: ['Connect', 'Connect', 'Connect', 'Blue', 'Switch', 'Hardware', 'Grow'],
  arcade: ['Switch', 'Blue', 'Dig', 'Blue', 'All Brands'],
  codex: ['Liberty', 'Liberty', 'Grow', 'Dig', 'Connect', 'All Brands'],
  green: ['Green', 'Green', 'Green', 'Hardware', 'Grow', 'Switch'],
  give: ['Give', 'Give', 'Give', 'Liberty', 'All Brands'],
  management: ['Connect', 'Green', 'Give', 'Hardware', 'Dig', 'Liberty', 'Blue', 'All Brands'],
};

export const doneWhen: readonly string[] = [
  'Done when they’ve confirmed it in writing.',
  'Done when two people outside the team have reviewed it.',
  'Done when it’s live and I’ve checked it on a phone.',
  'Done when every item on the list is closed or has an owner.',
  'Done when my approver can explain it without me.',
  'Out of scope: orders from before the move.',
  'I’ll need about half a day of help with the numbers.',
  'If it takes more than two days, I’ll say so and we’ll cut it.',
];

export const denialReasons: readonly string[] = [
  'Too big for one week. Please cut it down to what you can finish by Friday.',
  'This is the same as last week’s task. What’s different now?',
  'I can’t tell when this is done. Add a sentence on how we’ll know.',
  'This isn’t ours to decide: legal has it until next week. Please pick something else.',
  'Please say which customer or partner this is for, and why this week.',
  'Good idea, but the price list has to be right first.',
  'The brand is wrong, and the summary describes two tasks. Please split it.',
  'We agreed to stop this channel. Talk to me before you spend time on it.',
  'Which numbers will you look at? Add the source so we compare the same thing.',
  'Sounds like you’re waiting for someone else. What’s your own step?',
];

export const answersToDenial: readonly string[] = [
  'Cut it to the first part. The rest is on my list for next sprint.',
  'Added how we’ll know it’s done, and by when.',
  'You’re right, I mixed up two things. Now it’s just the first one.',
  'Added the partner and the reason. They’ve been waiting since last week.',
  'Switched the order: price list first, then this if there’s time.',
  'Rewrote the summary and added the source of the numbers.',
];

export const sendBackReasons: readonly string[] = [
  'The total doesn’t match the dashboard. Please check the refunds again.',
  'The second paragraph still has the old price.',
  'Works on a laptop, but the form is cut off on my phone.',
  'Add who didn’t reply, and it’s complete.',
  'Two of the links still go to the old page.',
  'Almost there. The partner’s written confirmation is missing.',
  'Good work, but the German version wasn’t updated.',
];

export const praise: readonly string[] = [
  'Thank you, exactly what we needed.',
  'Nice and short. Signed off.',
  'Good catch with the second invoice.',
];

export const ownerNotes: readonly string[] = [
  'First draft is done. Still open:\n\n- numbers for the last two days\n- an answer from the partner\n- a second pair of eyes',
  'Called them this morning. They agree in principle and will send the contract **by Thursday**.',
  'Found the cause: the export counts refunds twice when an order has two parcels.',
  'I’m halfway through the list. The rest is easier, so I expect to finish tomorrow.',
  'While I wait for access to the shared folder, I’m doing the second part.',
  'Numbers so far:\n\n| step | before | now |\n|---|---|---|\n| opened | 41% | 48% |\n| answered | 6% | 9% |',
  'Tried it on three phones. The oldest one needs a larger button, everything else is fine.',
  '> Can we have it a day earlier?\n\nI said yes, if the copy is final by noon tomorrow.',
  'Talked to the warehouse: Tuesday works, Monday doesn’t.',
  'The template is `weekly-summary`, second tab. Please don’t sort the first column.',
];

export const approverNotes: readonly string[] = [
  'Please keep me posted on the price. I’m talking to them on Wednesday.',
  'Look at what we did for this last quarter. It’ll save you an hour.',
  'How sure are we about the number in the summary?',
  'If they don’t answer by Thursday, go ahead without them and let me know.',
  'Good start. I would put the *why* before the *how*.',
];

export const fileNames: readonly (readonly [name: string, mime: string, kilobytes: number])[] = [
  ['comparison.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 48],
  ['draft.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 96],
  ['offer.pdf', 'application/pdf', 310],
  ['screenshot-mobile.png', 'image/png', 420],
  ['photo-shelf.jpg', 'image/jpeg', 1850],
  ['orders.csv', 'text/csv', 22],
  ['meeting-notes.md', 'text/markdown', 4],
  ['slides.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', 2300],
  ['answers.txt', 'text/plain', 7],
];
