import { ensureComponent } from '../components.ts';

export default () => ensureComponent('ffmpeg');
