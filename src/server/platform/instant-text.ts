/** ISO 8601 in UTC with milliseconds, as every instant leaves the API. */
export function instantText(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}
