import { describeNetwork } from './conformance.ts';
import { setupWhatsApp } from './whatsapp-fixture.ts';

describeNetwork('whatsapp', () => setupWhatsApp());
