use palpable::*;
fn main(){
 for mass in [0.01,1e-5]{
    let mut model = Model::builder();
    let ball = model.body(Body::sphere("ball", 0.01).mass(mass).position([0.1, 0.0, 0.0]));
    model.spring(Spring::point(ball.origin(), Anchor::world([0.0; 3])).stiffness(100.0));
    let mut w=World::new(model.build().unwrap());
    let e0=w.energy().total();
    let mut d=0.0; let mut gb=0.0f64; let mut res=0;
    for _ in 0..100000{ let r=w.step(1e-3,&Inputs::none()); d+=r.entry.defect; gb=gb.max(r.gap_before);res+=r.resolves;}
    let e=w.energy();
    println!("mech {:.2e} tank {:.2e} sumdefect {:.2e} booked {:.2e} closure {:.2e} gap {:.1e} res {}",(e.kinetic+e.elastic)/e0-1.0,e.tank/e0,d/e0,w.ledger().booked()/e0,w.ledger().closure()/e0,gb,res);
 }
}
