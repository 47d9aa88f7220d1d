import { spawnSync } from 'node:child_process';
import { hasNginx } from '../support/nginx';
import { postgresPrograms } from '../support/postgres-cluster';
import { makesImmutable, mayMount } from './storage-probes';

/** What a scenario may need that is not part of every machine. */
export type Program =
  'PostgreSQL' | 'nginx' | 'Redis' | 'right to mount' | 'file system with immutable files';

const IS_THERE: Readonly<Record<Program, () => boolean>> = {
  PostgreSQL: () => postgresPrograms() !== null,
  nginx: hasNginx,
  Redis: () => spawnSync('redis-server', ['--version']).status === 0,
  'right to mount': mayMount,
  'file system with immutable files': makesImmutable,
};

/** Whether this machine has it. */
export function isInstalled(program: Program): boolean {
  return IS_THERE[program]();
}

/** What this machine lacks of what a scenario needs, as a reason not to try it; null where it has everything. */
export function lacking(programs: readonly Program[]): string | null {
  const missing = programs.filter((program) => !isInstalled(program));
  return missing.length === 0 ? null : `there is no ${missing.join(', and no ')} here`;
}
