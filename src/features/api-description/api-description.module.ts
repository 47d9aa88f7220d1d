import { Module } from '@nestjs/common';
import { ApiDescriptionController } from './api-description.controller';
import { FrontPageController } from './front-page.controller';
import { ApiDescriptionService } from './api-description.service';

/** The description of both interfaces, for programs and for people. */
@Module({ controllers: [ApiDescriptionController, FrontPageController], providers: [ApiDescriptionService] })
export class ApiDescriptionModule {}
