import { Module } from '@nestjs/common';
import { ApiDescriptionController } from './api-description.controller';
import { ApiDescriptionService } from './api-description.service';

/** The description of both interfaces, for programs and for people. */
@Module({ controllers: [ApiDescriptionController], providers: [ApiDescriptionService] })
export class ApiDescriptionModule {}
