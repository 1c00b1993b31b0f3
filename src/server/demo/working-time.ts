// The working hours of the demo company, as one unbroken line: hour 0 is the first working morning, hour 9 the second.
// Everything that people do lies on this line, so that nobody approves a task on a Sunday night.

export type WorkingTime = {
  /** The instant of an hour on the line, in milliseconds of the epoch. */
  readonly at: (hour: number) => number;
  /** The last hour on the line that is not after the instant. */
  readonly hourOf: (epochMilliseconds: number) => number;
};

const hoursADay = 9;
const startOfDay = '08:30';
const millisecondsAnHour = 3_600_000;

/** Monday to Friday from 8:30 to 17:30 on the company's wall clock, beginning with the Monday given. */
export function workingTime(firstMonday: Temporal.PlainDate, weeks: number, zone: string): WorkingTime {
  const mornings: number[] = [];
  for (let week = 0; week < weeks; week++) {
    for (let weekday = 0; weekday < 5; weekday++) {
      const day = firstMonday.add({ days: week * 7 + weekday });
      mornings.push(day.toZonedDateTime({ timeZone: zone, plainTime: startOfDay }).epochMilliseconds);
    }
  }
  const clamped = (day: number) => Math.min(Math.max(day, 0), mornings.length - 1);
  return {
    at: (hour) => {
      const day = clamped(Math.floor(hour / hoursADay));
      return mornings[day]! + Math.round((hour - day * hoursADay) * millisecondsAnHour);
    },
    hourOf: (instant) => {
      const day = clamped(mornings.findLastIndex((morning) => morning <= instant));
      const hours = (instant - mornings[day]!) / millisecondsAnHour;
      // The very end of a day is the morning of the next, which has not come yet.
      return day * hoursADay + Math.min(Math.max(hours, 0), hoursADay - 0.001);
    },
  };
}
