import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/tables';
import { AuditModule } from '../audit/audit.module';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { OrganizationExports1700000000041 } from './0041-organization-exports.migration';
import { OrganizationArchiveService } from './archive/organization-archive.service';
import { ConsentEventsService } from './consent-events.service';
import { ExportChecksService } from './export-checks.service';
import { ExportCommandService } from './export-command.service';
import { ExportRowsService } from './export-rows.service';
import { ExportFilesController, ExportsController } from './exports.controller';
import { ExportsService } from './exports.service';
import { MakeExportService } from './make-export.service';
import { OrganizationExport } from './organization-export.entity';

/** Export of the organization in Zulip's format. */
@Module({
  imports: [TypeOrmModule.forFeature([OrganizationExport]), AuditModule, UsersModule, MessagesModule],
  controllers: [ExportsController, ExportFilesController],
  providers: [
    OrganizationArchiveService,
    ConsentEventsService,
    ExportChecksService,
    ExportCommandService,
    ExportRowsService,
    ExportsService,
    MakeExportService,
  ],
})
@Migrations(OrganizationExports1700000000041)
export class ExportingModule {}

// What other features may import.
export { archivePath } from './export-rows.service';
