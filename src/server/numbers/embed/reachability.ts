// Whether the external analytics tool answers. Only its configured address is ever asked, and never one that it sends us on to.
const answersWithinMs = 2_000;
const knownForMs = 30_000;

/** Metabase says here, to anybody, that it is up. */
const healthPath = '/api/health';

export type Reachability = () => Promise<boolean>;

/** The answer is kept for half a minute, so that a tool that hangs costs one wait and not one a viewer. */
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
