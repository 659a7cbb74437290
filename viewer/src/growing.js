// Rows of numbers to which more are added while a run goes on.
/** Numbers that grow; `view` is what there is. */
export class Growing {
  constructor(Kind = Float32Array) {
    this.room = new Kind(1024);
    this.count = 0;
  }

  add(numbers) {
    if (this.count + numbers.length > this.room.length) {
      const larger = new this.room.constructor(2 ** Math.ceil(Math.log2(this.count + numbers.length)));
      larger.set(this.room.subarray(0, this.count));
      this.room = larger;
    }
    this.room.set(numbers, this.count);
    this.count += numbers.length;
  }

  get view() {
    return this.room.subarray(0, this.count);
  }
}
