import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { type PersonalDataKeeper, PersonalDataRegistry } from '../users';
import { AttachmentRowsService } from './attachment-rows.service';
import { storedPath } from './upload-path';
import { UploadSpaceService } from './upload-space.service';

/** Removes the files of whoever is deleted that no message links: nobody else can read those. */
@Injectable()
export class UploadsDataService implements PersonalDataKeeper {
  constructor(
    private readonly rows: AttachmentRowsService,
    private readonly space: UploadSpaceService,
    registry: PersonalDataRegistry,
  ) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    const own = await this.rows.ofOwner(tx, userId);
    if (own.length === 0) return [];
    const removed = await this.rows.removeUnlinked(
      tx,
      own.map(({ id }) => id),
    );
    const bytes = removed.reduce((sum, { size }) => sum + size, 0);
    if (bytes > 0) await this.space.change(tx, -bytes);
    return removed.map(({ path }) => storedPath(path));
  }
}
