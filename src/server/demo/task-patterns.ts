// The demo's tasks: a title and a sentence for each kind, with words to fill in. One pattern per line, `title
// :: summary`; the words in braces are in `task-words.ts`.
import type { Scope } from '#core/access/brands.ts';

export type TaskPattern = { readonly title: string; readonly summary: string };

const read = (lines: string): TaskPattern[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [title = '', summary = ''] = line.split(' :: ');
      return { title, summary };
    });

const connect = read(`
Settle the {month} payouts of {affiliate} :: {affiliate} questions {n} conversions; compare our click log with theirs and pay what both agree on.
Answer {affiliate} about late {brand} commissions :: They’ve been waiting for two payments since the start of {month}. Find them, release them, tell them the date.
Write landing copy for {brand} in {language} :: Native copy instead of the translated one, with the prices of {country} and the new warranty.
Compare commission tiers with {affiliate} :: They ask for a higher tier; show what the last quarter would have cost at each tier and suggest one.
Refresh the {brand} banner set for {affiliate} :: Six sizes, the {campaign} colors, and links that carry the campaign name.
Close {n} duplicate affiliate accounts in {country} :: Same bank details, different names. Keep the older account and merge the clicks.
Prepare the {campaign} mailing to {list} :: Draft, two subject lines to compare, and the list without people who bought in the last two weeks.
Check tracking links of {affiliate} on mobile :: Clicks from the app have arrived without the campaign since the {month} release.
Onboard {affiliate} for {brand} :: Contract, tax form, tracking test with three orders, and a first call about their audience.
Clean up the {country} price list of {brand} :: Old bundles are still on sale there. Remove them and check the rounding of the rest.
Reconcile {shop} orders with the ledger for {month} :: {n} orders have no matching payment; sort them into late, refunded and lost.
Rework the {brand} checkout question about {topic} :: A fifth of the people stop at it. Try it later in the form and with a shorter text.
Ship the {brand} {product} samples to {city} :: Twelve pieces for the partner day, with customs papers and a return label.
Report on {affiliate} traffic from {country} :: Their share of refunded orders is three times the usual one; look at sources and hours.
Plan the {brand} launch week in {country} :: Who posts what on which day, who answers, and what we do when the {product} sells out.
Set up the {brand} referral test with {n} customers :: Two rewards vs. none, four weeks, measured by second orders.
Update partner terms on {topic} :: Legal sent a new paragraph. Put it into all languages and tell partners a month ahead.
Interview three {brand} customers in {city} :: Why they bought, what they compared, and what nearly stopped them.
Move {affiliate} to weekly payouts :: They asked twice; check the fees of {carrier} transfers and change the schedule from {month} on.
Find out why {brand} carts are abandoned in {country} :: Watch twenty sessions, list the three places where people give up, propose one change.
Draft answers for the {brand} call center about {topic} :: Short, friendly, and true for {country} as well, where the terms differ.
Negotiate {carrier} rates for {product} parcels :: Volume doubled since spring; ask for the next step and a later pick-up.
Build the {month} scorecard of the top affiliates :: Clicks, conversion, refunds and earnings per click, with a line on what changed.
Retire the old {brand} coupon codes :: {n} codes still work. Switch them off and leave a kind message in the shop.
Test the {brand} {product} unboxing with new packaging :: Drop test, opening time, and photos for the product page in {language}.
Sort the {shop} reviews of {brand} by cause :: Read the last two hundred, count what people praise and what they send back.
Agree on the {campaign} budget with {affiliate} :: Fixed part, performance part, and when either of us may stop.
`);

const arcade = read(`
Tune the difficulty of {game} level {n} :: Two thirds stop there on the first day. Ease the second half and measure again.
Fix the crash of {game} on older phones :: It happens after the third ad; {n} reports, all on low-memory phones.
Write store texts for {game} in {language} :: Title, short text and five picture captions, checked by a native speaker.
Prepare the {campaign} event in {game} :: Ten days, three goals, rewards that don’t break the shop, and a quiet end.
Cut the load time of {game} :: Start takes nine seconds on a cheap phone; load the second world later.
Plan the {game} tournament in {city} :: Room, thirty-two players, referees, and a stream that survives a bad connection.
Check the {game} purchases of {country} :: Prices there have shown without tax since {month}. Compare with what the store charges.
Draw {n} new badges for {game} :: One style, readable at small size, and names that work in {language}.
Answer the {game} forum about {topic} :: Four long threads. One honest answer, pinned, with a date for the fix.
Balance the coins in {game} :: Players above level forty earn more than they can spend. Two sinks, no punishment.
Localize {game} for {country} :: {n} texts, two holidays, a keyboard that fits, and no idioms in the tutorial.
Try {game} with eight beginners :: No help, think aloud, film the hands. Note where they look for the next step.
Replace the music of {game} before the license ends :: Three tracks, same mood, loops without a gap.
Publish {game} {n}.2 with the save fix :: Release notes, staged over four days, stop if crashes rise.
Add a pause for parents to {game} :: A code, a daily limit, and a friendly screen when time is up.
Collect ideas from the {game} players of {city} :: Meet the club, bring two prototypes, write down what they did, not what they said.
Sort the bug list of {game} :: Close what can’t be reproduced, merge duplicates, agree on the ten that matter.
Record the {game} trailer for {campaign} :: Thirty seconds, real gameplay, readable without sound.
Move {game} scores to the new server :: Copy, compare {n} random accounts, switch at a quiet time, keep the old one for a week.
Stop the cheating in the {game} league :: Three patterns in the logs; block two, watch the third.
Review contrast and text size in {game} :: Color-blind players miss the red gems. Add shapes and check every menu.
Prepare the {game} pitch for {shop} :: One page, numbers of the last season, and why their players would like it.
Measure the {game} tutorial without the robot guide :: Half of the new players see it, half don’t; look at day one and day seven.
Write the {month} letter to {game} testers :: What changed, what they found, what we want them to break next.
Swap the ad partner of {game} in {country} :: Fewer videos, better paid. Test with a tenth of the players first.
Bring back the {game} daily puzzle :: It was dropped by mistake in {month}; people ask for it every week.
`);

const codex = read(`
Proofread {book} from chapter {n} on :: Second pass, with the list of names beside it, and questions to the author in one letter.
Write the help article on {topic} :: The question comes {n} times a week. Steps, two pictures, and what to do when it fails.
Lay out the {language} edition of {book} :: Longer words, different quotation marks, and the notes at the end instead of below.
Translate the help center page on {topic} to {language} :: Check it against the product in {country}, not only against the English text.
Order the reprint of {book} :: {n} hundred copies, the better paper, delivery to {city} before the fair.
Check image rights of {book} :: Eleven pictures have no source. Find it, ask, or replace them.
Collect reader mistakes in {book} :: Sort two hundred emails, correct the file, list what goes into the next printing.
Answer the open tickets about {topic} :: Everything older than three days, with the article linked and improved where it didn’t help.
Record chapter {n} of the {book} audio edition :: Studio in {city}, two voices, check the names beforehand.
Plan the {book} reading in {city} :: Shop, date, forty chairs, thirty copies, and someone who asks good questions.
Update screenshots of the {topic} article :: The buttons moved in {month}. Same size, no names of real people.
Shorten the {topic} answer to five lines :: The long one is correct, but nobody reads it. Keep the link for those who want more.
Choose the cover of {book} with readers :: Three drafts, two hundred votes from {list}, and the reasons they give.
Write the back cover of {book} :: Eighty words, no spoiler, a sentence from someone who isn’t us.
Prepare the {campaign} reading list :: Twelve titles, why each, in {language} too, ready to print on one sheet.
Set prices of {book} for {country} :: Fixed price law, tax on paper and file, and what the two competitors charge.
Agree on the {book} contract with the translator :: Share, deadline, name on the cover, what happens if we’re late.
Find out why people ask again about {topic} :: Read thirty conversations that came back and name the missing sentence.
Index {book} :: Names, places, terms; check {n} entries against the pages after the last change.
Convert {book} for readers of large print :: Line length, hyphenation, and a contents page that a screen reader can follow.
Send review copies of {book} to {country} :: {n} people who write about the subject, a letter to each, no mass email.
Merge the two articles on {topic} :: They’ve contradicted each other since {month}. One truth, one address, the other redirects.
Write a style note on {topic} :: How we say it, how we don’t, three examples, one page.
Count the returns of {book} by shop :: {shop} sends back a third. Find out whether it’s damage, quantity or price.
Draft the {month} letter to {list} :: One new title, one old one, one question that we would like answered.
Test the help search for {topic} :: Try the forty most frequent wordings; add the words people use to the article.
`);

const green = read(`
Compare {supplier} and two others for {product} parts :: Price, distance, repair, and who answers the phone. One page with a suggestion.
Measure the power use of the {brand} {product} :: Off, waiting, working; an hour each, three units, numbers on the label.
Write the repair guide of the {brand} {product} :: Eight steps with pictures, the tools needed, and what is better left to us.
Find plastic-free packaging for {product} :: Same protection, up to ten cents more, from a printer near {city}.
Answer {supplier} about the {month} delivery :: {n} pieces missing and two boxes wet. Pictures, credit note, new date.
Plan the {brand} collection day in {city} :: Place, containers, helpers, a poster in {language}, and where everything goes afterward.
Calculate the footprint of {brand} deliveries to {country} :: Road vs. rail with {carrier}, per parcel, with the sources listed.
Register the {brand} {product} in {country} :: Form, test report, fee, and the mark required on the box.
Sort {n} returned {product} units :: Works, repairable, parts, waste; count each and note the fault in one word.
Tell {list} about the spare parts shop :: What it has, what it costs, and that a repair keeps the warranty.
Train the {shop} staff on {brand} {product} :: An hour, five questions customers ask, and the two repairs they can do there.
Replace the battery supplier of the {product} :: {supplier} stops in {month}. Two samples, a test of three hundred cycles.
Check the {brand} claims on {topic} :: Every sentence of the page needs a source or goes. New law in {country}.
Collect {brand} customer stories from {country} :: Five people, a photo each, permission in writing.
Reduce the parcels of {product} orders :: One order in six ships in two boxes. Find out why and change the packing list.
Set up the {brand} test roof in {city} :: Twelve panels, two inverters, numbers every 15 minutes.
Draft the {month} report on returned material :: Kilograms by kind, share reused, and why copper went down.
Ask {supplier} for the origin of the cells :: They’ve owed us the paperwork since {month}. Set a deadline and say what happens after it.
Write the {brand} {product} manual in {language} :: Two pages instead of nine, pictures first, legal notes last.
Price the {brand} {product} subscription :: Costs over three years, three price points, who would pay more than by buying.
Visit {supplier} in {country} :: Walk through the hall, ask about hours and waste water, write it down the same day.
Test the {brand} {product} in the cold :: Ten days at minus fifteen, log start and range, compare with the old one.
Plan spare stock of the {brand} {product} :: What failed in two years, how long parts take, up to {n} pieces.
Offer {brand} to three housing groups in {city} :: One page each, numbers of their own roofs, a date to visit.
Clean up the {product} fault codes :: Forty codes, nine causes. Map them, and give the support team a table.
Switch {brand} invoices to paperless in {country} :: Ask those who still get paper, keep it for those who want it.
`);

const give = read(`
Thank the {month} donors of {cause} :: {n} letters by hand for the larger gifts, a personal email for the rest, before the week is over.
Write the donor email about {cause} in {language} :: One story, one number, one request. Nothing that would embarrass the people in it.
Reconcile gifts to {cause} with the bank :: {n} transfers without a name; find the donors or book them as anonymous.
Prepare the {campaign} page for {cause} :: Three amounts that fit the last year, the form on the first screen, no dark tricks.
Ask {n} lapsed donors why they stopped :: Short calls, no pressure, note the reason in one of six words.
Send the tax receipts of {country} :: They’re due by the end of {month}. Check names and totals of those over a thousand.
Plan the charity run for {cause} in {city} :: Route, permission, first aid, {n} runners, and what each of them needs to know.
Report to {cause} on the {month} remittance :: Collected, fees, sent, when; the same numbers as on the dashboard.
Fix the monthly gift form in {language} :: The second step loses the amount. Also say clearly how to stop.
Find matching partners for {campaign} :: Three companies that double gifts for a week, and what they want in return.
Record a talk with {cause} :: Thirty minutes, questions sent before, cut to six, with subtitles in {language}.
Call the donors with failed payments :: {n} cards expired in {month}. Kind, short, and a link that works on a phone.
Draft a reply to critics of {topic} :: Facts with sources, what we changed, who to ask. Read by two people outside the team.
Update the {cause} numbers in the leaflet :: The old ones are from last year. Print {n} hundred for {city}.
Test two thank-you pages for {cause} :: A picture vs. a next step; count second gifts within a month.
Visit the {cause} team in {country} :: Two days, see where the money goes, bring pictures that may be shown.
Merge {n} duplicate donor records :: Same address, different spelling. Keep the history of both, tell nobody twice.
Write the safeguarding note for {campaign} :: What we show, what never, who decides, who a helper calls.
Schedule the donor emails to {list} :: At most two a month each, none in the week after a gift.
Prepare the {month} numbers for the board :: Gifts, donors, retention, cost per gift, and one sentence on each change.
Thank {affiliate} for the {campaign} weekend :: They sent a third of the gifts. A letter, the result, a question about next time.
Compare payment fees for gifts from {country} :: Card, transfer, wallet; per gift of ten, fifty and two hundred.
Explain {topic} to donors :: Half a page in plain words, read aloud to someone who doesn’t know us.
Brief {n} volunteers for {city} :: One evening, what to say and not to say, a partner for each new one.
Check the consent of {list} :: Who agreed to what and when; remove those we can’t prove.
Choose the pictures for the {cause} report :: Twelve, with permission, without misery, captions in {language}.
`);

const management = read(`
Prepare the {month} numbers for the partners :: Two pages, the same formulas as on the dashboards, and what we do about {brand}.
Hire a second {role} for {brand} :: Job ad, three places to post it, first interviews with {n} people by the end of the sprint.
Review the {carrier} contract :: It renews in {month}. Compare two offers and decide whether we stay.
Agree on goals of {brand} for next quarter :: Three goals, a number each, who owns them, what we stop for them.
Plan the office days in {city} :: Who sits together, which days, and a room for {n} that has a door.
Close the books of {brand} for {month} :: Open invoices, accruals for {affiliate}, and a list of what is late.
Talk with every {role} about workload :: Half an hour each, the same four questions, a summary without names.
Renew the insurance of the {city} store :: New value, water damage included, two offers beside the old one.
Update the handbook on {topic} :: Say what we do, not what we did two years ago. Ask three people to read it.
Check access rights of people who left :: {n} accounts since spring; close them and note what was still open.
Draft the budget of {brand} with three scenarios :: As is, ten percent less, one more {role}; what each means for {country}.
Decide on the {shop} channel of {brand} :: Margin after returns, effort of the team, and what we lose when we leave.
Prepare the board meeting in {city} :: Agenda, papers a week before, a decision for each item.
Answer the auditors about {topic} :: {n} questions. Documents in one folder, one person to ask, done by Thursday.
Set up the emergency list for {brand} :: Who calls the next person, in which order, and where the printed copy is.
Write the {month} letter to the whole company :: What went well, what didn’t, one thank-you by name, under four hundred words.
Compare {tool} with what we have :: Two weeks with one team, cost for all, and what moving would take.
Register the {brand} trademark in {country} :: Search, two classes, agent in {city}, and the similar old logo.
Talk to {supplier} about payment terms :: Sixty days instead of thirty, or two percent for paying early.
Run the {brand} quarterly retrospective :: Two hours, what to keep, what to drop, three changes, each with an owner.
Write the offer for the new {role} :: Salary band, first three months, and an answer to the question about {city}.
Check the rules on {topic} in {country} :: An hour with the lawyer, then half a page that everyone understands.
Measure how long approvals take :: Last {n} weeks by team, the three longest, and what would have made them short.
Plan cover for the {month} holidays :: Who answers for {brand}, payouts on time, nobody called on the beach.
Cut the list of {tool} licenses :: {n} haven’t been used since spring. Ask once, then cancel them.
Agree with {carrier} on the peak weeks :: Pick-up times, a limit we can live with, and who to call at night.
`);

export const taskPatterns: Readonly<Record<Scope, readonly TaskPattern[]>> = {
  connect,
  arcade,
  codex,
  green,
  give,
  management,
};
