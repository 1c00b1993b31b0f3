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
list: the newsletter list | past buyers | readers of the magazine | trial users | monthly donors | the partner list | people who asked for a call | customers of two years and more
topic: returns | delivery times | changing an address | double payments | gift cards | data protection | guarantee | cancelling a subscription | invoices | password reset | customs fees | recycling | refunds | pre-orders | working from abroad | travel costs
shop: web shop | marketplace | app store | wholesale | pop-up shop | telephone sales
product: hub | charger | desk lamp | sensor | power bank | thermostat | solar lantern | router | smart plug | bike light | speaker | garden controller
carrier: Baltic Freight | ParcelOne | Roadrunner Cargo | BlueLine Post | Alpen Express | Harbor Logistics
supplier: Fjord Components | Solvento | Kasper Metals | Lumière Print | Vega Cells | Terra Packaging | Oak & Copper | Nordic Moulding | Rio Textiles | Hikari Parts
game: Gem Harbor | Robo Orchard | Paper Pirates | Night Tram | Bubble Court | Moss & Magnet | Turbo Snails | Castle Clerk | Word Weavers | Lighthouse Nine
book: The Quiet Harbour | Bread for Beginners | A Map of Small Rivers | Letters to a Young Gardener | The Clockmaker’s Niece | Numbers without Fear | Seven Winters | The Honest Shop | Birds of the Railway | Cooking on Sundays | The Long Repair | Islands in Order
cause: Free a Girl | Operation Underground Railroad | Who Lives
role: support agent | buyer | editor | game designer | bookkeeper | campaign planner | warehouse lead | data analyst
tool: the ticket system | the design program | the survey tool | the mail program | the wiki | the accounting program | the scheduling board
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
  'Done when the other side has confirmed it in writing.',
  'Done when two people outside the team have looked at it.',
  'Done when it is live and I have checked it on a telephone.',
  'Done when the list is empty or every rest has a name beside it.',
  'Done when my approver can explain it without me.',
  'Not part of it: the old orders from before the move.',
  'I need about half a day of help with the numbers.',
  'If it takes longer than two days I will say so and we cut it.',
];

export const denialReasons: readonly string[] = [
  'Too big for one week. Please cut it to the part that can be finished by Friday.',
  'This is the same as last week’s task. What is different now?',
  'I cannot tell when this is done. Add a sentence that says how we will see it.',
  'Not our decision to make, it is with legal until next week. Choose something else.',
  'Please name the customer or partner it is for, and why this week.',
  'Good idea, wrong order: the price list has to be right first.',
  'The brand is wrong, and the summary describes two different tasks. Split it.',
  'We agreed to stop this channel. Talk to me before you spend time on it.',
  'Which numbers will you look at? Add the source, so that we compare the same thing.',
  'Sounds like waiting for someone else. What is your own step in it?',
];

export const answersToDenial: readonly string[] = [
  'Cut to the first part; the rest is on my list for the next sprint.',
  'Added how we will see that it is done, and the date.',
  'You are right, I mixed two things. This is now only the first of them.',
  'Named the partner and the reason. They wait for us since last week.',
  'Changed the order: price list first, this afterwards if time is left.',
  'Rewrote the summary with the source of the numbers.',
];

export const sendBackReasons: readonly string[] = [
  'The total does not match the dashboard. Please check the refunds again.',
  'The text still names the old price in the second paragraph.',
  'Works on a desktop, but the form is cut off on my telephone.',
  'Please add the list of those who did not answer, then it is complete.',
  'Two of the links lead to the old page.',
  'Almost. The partner’s written confirmation is missing.',
  'Good work, but the German version was not updated.',
];

export const praise: readonly string[] = [
  'Thank you, exactly what was needed.',
  'Nice and short. Signed off.',
  'Good catch with the second invoice.',
];

export const ownerNotes: readonly string[] = [
  'First draft is done. Open points:\n\n- numbers of the last two days\n- one answer from the partner\n- a second pair of eyes',
  'Called them this morning. They agree in principle and send the paper **by Thursday**.',
  'Found the cause: the export counts refunds twice when an order has two parcels.',
  'Half of the list is through. The rest is easier, I expect to finish tomorrow.',
  'Waiting for access to the shared folder, meanwhile I do the second part.',
  'Numbers so far:\n\n| step | before | now |\n|---|---|---|\n| opened | 41 % | 48 % |\n| answered | 6 % | 9 % |',
  'Tried it on three telephones. The oldest one needs a larger button, everything else is fine.',
  '> Can we have it a day earlier?\n\nAnswered: yes, if the texts are final tomorrow at noon.',
  'Talked to the warehouse: Tuesday is possible, Monday is not.',
  'The template is `weekly-summary`, second tab. Please do not sort the first column.',
];

export const approverNotes: readonly string[] = [
  'Please keep me in the loop on the price, I talk to them on Wednesday.',
  'Have a look at what we did for the same thing last quarter, it saves you an hour.',
  'How sure are we about the number in the summary?',
  'If they do not answer by Thursday, go on without them and tell me.',
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
