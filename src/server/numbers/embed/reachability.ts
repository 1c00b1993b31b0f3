// Whether the external analytics tool answers. Only requests its configured address, and follows no
// redirects.
const answersWithinMs = 2_000;
const knownForMs = 30_000;

/** Metabase's public health check. */
const healthPath = '/api/health';

export type Reachability = () => Promise<boolean>;

/** The answer is cached for half a minute, so a hanging tool costs one wait instead of one per viewer. */
export function reachabilityOf(siteUrl: string, now: () => number = () => performance.now()): Reachability {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(false);
  return () => {
    if (now() - asked >= knownForMs) {
      asked = now();
      answer = isUp(siteUrl);
    }
    return answer;
  };
}

async function isUp(siteUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${siteUrl}${healthPath}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(answersWithinMs),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
