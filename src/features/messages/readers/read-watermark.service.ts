import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { MessageScanService } from '../scan/message-scan.service';
import { ownMessages } from '../scan/candidate-search';
import { BLOCK_SIZE, blockOf, blocksWithUnread } from '../store/read-set';
import { ReadRowsService } from './read-rows.service';
import { SettledMessagesService } from '../store/settled-messages.service';

/** Blocks above the watermark that make it worth moving. */
const MANY_BLOCKS = 16;

/** Unread messages that are looked for to move it past them. */
const MAX_UNREAD = 20_000;

/**
 * Lets people's watermarks follow what they read, so that their blocks do not pile up: up to the watermark there are
 * blocks only where something is really unread. Each stretch of messages is checked once.
 */
@Injectable()
export class ReadWatermarkService {
  constructor(
    private readonly rows: ReadRowsService,
    private readonly scan: MessageScanService,
    private readonly settled: SettledMessagesService,
  ) {}

  /**
   * Moves the watermark of a person whose row is locked, each time that many more blocks are above it. It passes what
   * the person has read or never received, and what is unread with a block that says so; never a message that may still
   * appear.
   * @param newBlocks how many blocks were just added
   */
  async advance(tx: Transaction, userId: number, newBlocks: number): Promise<void> {
    if (newBlocks === 0) return;
    // Asked each time, since the answer is that of the previous call.
    const settled = await this.settled.newest(tx);
    const reads = await this.rows.load(tx, userId);
    const first = blockOf(reads.watermark + 1);
    const stored = reads.storedFrom(first);
    if (stepsIn(stored.length) === stepsIn(stored.length - newBlocks)) return;
    // Beyond the last stored block nothing was read yet, so moving on would gain nothing.
    const last = Math.min(stored.at(-1) ?? 0, lastWholeBlock(settled));
    if (last - first < MANY_BLOCKS / 2) return;
    const unread = await this.scan.collect(
      tx,
      { conditions: [], search: ownMessages(userId), reads: { set: reads, read: false } },
      {
        from: first * BLOCK_SIZE,
        to: (last + 1) * BLOCK_SIZE - 1,
        direction: 'newer',
        limit: MAX_UNREAD,
      },
    );
    const farthest = unread[MAX_UNREAD - 1];
    const reached = farthest === undefined ? last : lastWholeBlock(farthest);
    if (reached < first) return;
    await this.rows.moveWatermark(tx, userId, (reached + 1) * BLOCK_SIZE - 1);
    await this.rows.drop(tx, userId, first, reached);
    const blocks = blocksWithUnread(unread.filter((id) => blockOf(id) <= reached));
    await this.rows.store(
      tx,
      blocks.map((block) => ({ userId, block })),
    );
  }
}

function stepsIn(blocks: number): number {
  return Math.floor(blocks / MANY_BLOCKS);
}

/** The last block all of whose IDs are at or below the given one. */
function lastWholeBlock(messageId: number): number {
  return blockOf(messageId + 1) - 1;
}
