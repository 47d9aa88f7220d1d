import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { Queryable } from '../../../platform/sql/queryable';
import { AccountDirectory } from '../../users/users.module';
import { exportsChanged, exportWire, type ExportWire } from './exports.api';
import { OrganizationExport } from './organization-export.entity';

/** Rows of exports, and the event that tells of them. */
@Injectable()
export class ExportRowsService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly config: Config,
  ) {}

  /** All that were ever requested, in the order of the requests. */
  async all(db: Queryable): Promise<ExportWire[]> {
    const rows = await db.repository(OrganizationExport).find({ order: { id: 'ASC' } });
    return rows.map((row) => exportWire(row, this.config.externalUrl));
  }

  /** Tells administrators, except bots, how all exports stand. */
  async tell(tx: Transaction): Promise<void> {
    tx.emit(exportsChanged({ exports: await this.all(tx) }), this.administrators());
  }

  /** Owners and administrators who are people. */
  administrators(): Audience {
    const ids = this.accounts.administrators.ids();
    return Audience.of([...ids].filter((id) => !this.accounts.existing(id).isBot));
  }
}

/** Where the file store keeps an archive. */
export function archivePath({ fileKey }: Pick<OrganizationExport, 'fileKey'>): string {
  return `exports/${fileKey}.tar.gz`;
}
