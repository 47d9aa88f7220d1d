import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { ModuleCommandsService } from './module-commands.service';

/** The operator's commands about modules. */
@Module({ imports: [AuditModule], providers: [ModuleCommandsService] })
export class ModuleOperationModule {}
