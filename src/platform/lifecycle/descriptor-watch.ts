import { open } from 'node:fs/promises';
import { devNull } from 'node:os';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PeriodicTask, ProcessPurpose } from './periodic-task';

const EVERY_MS = 5_000;
/** One line per minute while the condition lasts. */
const ROUNDS_PER_LINE = 12;

/**
 * Warns the operator that the process can open no more files and connections. The system then drops connections before
 * the server sees them, so that nothing else would be logged.
 */
@Injectable()
export class DescriptorWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Files');
  private readonly task = new PeriodicTask('DescriptorWatch', () => this.look());
  private roundsWithout = 0;

  constructor(private readonly purpose: ProcessPurpose) {}

  onApplicationBootstrap(): void {
    if (this.purpose.isServer) this.task.start(EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  private async look(): Promise<void> {
    const code = await openingFails();
    if (code === null) {
      if (this.roundsWithout > 0) this.logger.log('Files and connections can be opened again.');
      this.roundsWithout = 0;
      return;
    }
    if (this.roundsWithout++ % ROUNDS_PER_LINE > 0) return;
    this.logger.error(
      `Too many open files and connections (${code}). New connections are dropped. Raise the limit of this process ` +
        '(LimitNOFILE in systemd, "ulimit -n"), or find the clients that open so many.',
    );
  }
}

/** @returns the system's error code if this process, or the system, has no file descriptors left */
async function openingFails(): Promise<string | null> {
  try {
    await (await open(devNull)).close();
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE') return code;
    throw error;
  }
}
