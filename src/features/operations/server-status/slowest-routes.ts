import type { Sample } from '../../../platform/metrics/metrics';
import type { RouteFigures } from './server-status.api';

const SHOWN = 10;
const QUANTILE = 0.95;

/** Clients wait here for as long as nothing happens. */
const POLLING = '/api/v1/events';

/** Counts of one route, over all statuses. */
interface Tally {
  readonly method: string;
  readonly route: string;
  requests: number;
  seconds: number;
  /** How many took at most so many seconds. */
  readonly within: Map<number, number>;
}

/**
 * The routes that take longest on average.
 * @param samples of durations by method and route
 */
export function slowestRoutes(samples: readonly Sample[]): RouteFigures[] {
  const tallies = new Map<string, Tally>();
  for (const sample of samples) add(tallies, sample);
  return [...tallies.values()]
    .filter(({ requests }) => requests > 0)
    .map((tally) => ({
      method: tally.method,
      route: tally.route,
      requests: tally.requests,
      mean_ms: milliseconds(tally.seconds / tally.requests),
      p95_ms: milliseconds(quantile(tally)),
    }))
    .sort((one, other) => other.mean_ms - one.mean_ms)
    .slice(0, SHOWN);
}

function add(tallies: Map<string, Tally>, { name, labels, value }: Sample): void {
  const { method = '', route = '', le } = labels;
  if (route === POLLING || value === null) return;
  const key = `${method} ${route}`;
  const fresh = { method: String(method), route: String(route), requests: 0, seconds: 0, within: new Map() };
  const tally: Tally = tallies.get(key) ?? fresh;
  tallies.set(key, tally);
  if (name.endsWith('_sum')) tally.seconds += value;
  else if (name.endsWith('_count')) tally.requests += value;
  else if (le !== '+Inf') tally.within.set(Number(le), (tally.within.get(Number(le)) ?? 0) + value);
}

/** Taken to lie evenly within its bucket; beyond the last one, nothing better is known than where that ends. */
function quantile({ requests, within }: Tally): number {
  const wanted = requests * QUANTILE;
  let [below, counted] = [0, 0];
  for (const [bound, count] of [...within].sort(([one], [other]) => one - other)) {
    if (count >= wanted) return below + ((bound - below) * (wanted - counted)) / (count - counted);
    [below, counted] = [bound, count];
  }
  return below;
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 10_000) / 10;
}
