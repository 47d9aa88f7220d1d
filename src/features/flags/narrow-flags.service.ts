import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { TransactionService } from '../../platform/database/transaction.service';
import { NarrowedRangeService } from '../messages';
import { ChangeFlagsService } from './change-flags.service';
import type { NarrowFlagsWire } from './flags.wire';
import { ignoredChannelsWire } from './flags.wire';
import { parseFlagChange } from './flag-change';

/** The range of a request, as {@link NarrowedRangeService} takes it. */
type RequestedRange = Parameters<NarrowedRangeService['find']>[2];

/** Changes flags of the messages in a range of a narrow (groups reference 9.6). */
@Injectable()
export class NarrowFlagsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly ranges: NarrowedRangeService,
    private readonly flags: ChangeFlagsService,
  ) {}

  /**
   * @param narrow terms as they were sent
   * @throws BadRequest, BadNarrow; UnknownFlag, FlagNotEditable, InvalidFlagOperation
   */
  async update(
    actor: Actor,
    narrow: readonly unknown[],
    range: RequestedRange,
    { op, flag }: { readonly op: string; readonly flag: string },
  ): Promise<NarrowFlagsWire> {
    const found = await this.ranges.find(actor, narrow, range);
    const change = parseFlagChange(op, flag);
    const changed = await this.transactions.run((tx) => this.flags.change(tx, actor, found.ids, change));
    return {
      processed_count: found.ids.length,
      updated_count: changed.messageIds.length,
      first_processed_id: found.ids[0] ?? null,
      last_processed_id: found.ids.at(-1) ?? null,
      found_oldest: found.foundOldest,
      found_newest: found.foundNewest,
      ...ignoredChannelsWire(change, changed.ignoredChannelIds),
    };
  }
}
