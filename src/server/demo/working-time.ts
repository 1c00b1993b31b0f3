// The demo company's working hours as one continuous scale: hour 0 is the first working morning, hour 9 the
// second. All activity uses it, so nobody approves a task on a Sunday night.

export type WorkingTime = {
  /** The instant of a working hour, in epoch milliseconds. */
  readonly at: (hour: number) => number;
  /** The last working hour that isn't after the instant. */
  readonly hourOf: (epochMilliseconds: number) => number;
};

const hoursADay = 9;
const startOfDay = '08:30';
const millisecondsAnHour = 3_600_000;

/** Monday to Friday from 8:30 to 17:30 company time, starting with the given Monday. */
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
      // The very end of a day equals the next morning, which is still in the future.
      return day * hoursADay + Math.min(Math.max(hours, 0), hoursADay - 0.001);
    },
  };
}
