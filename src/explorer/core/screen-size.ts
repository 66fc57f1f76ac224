export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}
