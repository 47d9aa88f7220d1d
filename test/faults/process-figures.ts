import type { Site } from './caller';

/** What a node says of itself. */
export interface ProcessFigures {
  readonly parkedPolls: number;
  readonly openFiles: number;
  readonly residentMib: number;
}

/** The figures of the first node, as Prometheus would fetch them. */
export async function processFigures({ addresses: [address] }: Site): Promise<ProcessFigures> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    parkedPolls: figure('parley_parked_polls'),
    openFiles: figure('process_open_fds'),
    residentMib: Math.round(figure('process_resident_memory_bytes') / 2 ** 20),
  };
}
